"""The service behind other frontends: one protocol, over standard input and output or over HTTP."""
