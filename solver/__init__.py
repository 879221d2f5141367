"""What is true: rules engines, notation, worlds that fit, exact solutions."""
