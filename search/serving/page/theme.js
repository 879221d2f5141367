/** Light or dark: as the system has it, or as chosen here. */

const STORE = "mess.theme";
const NEXT = { "": "light", light: "dark", dark: "" };
const TITLES = { "": "as the system has them", light: "light", dark: "dark" };

/** Makes a button go through the choices, beginning with the one kept from before. */
export function followTheme(button) {
  const set = (theme) => {
    document.documentElement.dataset.theme = theme;
    localStorage.setItem(STORE, theme);
    button.setAttribute("aria-label", `Colours: ${TITLES[theme]}`);
    button.title = `Colours: ${TITLES[theme]}`;
  };
  set(localStorage.getItem(STORE) ?? "");
  button.addEventListener("click", () => set(NEXT[document.documentElement.dataset.theme]));
}
