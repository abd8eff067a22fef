// The way out for whoever came in with the password: the cookie ends, and the page to log in comes.
function part({ parentElement }) {
  if (parentElement.querySelector("form")) return;
  parentElement.appendChild(
    el("form", { class: "root", method: "post", action: "/logout" }, el("button", { type: "submit" }, "Log out")));
}
