// Logs out whoever came in with the password: ends the cookie and shows the login page.
import { definePart } from "../shared/component";
import { el } from "../shared/dom";
import { say } from "../shared/language";
import styles from "./logout.css" with { type: "text" };

export const logout = definePart([styles], (root) => {
  root.append(el("form", { method: "post", action: "/logout" }, el("button", { type: "submit" }, say("Log out"))));
  return () => undefined;
});
