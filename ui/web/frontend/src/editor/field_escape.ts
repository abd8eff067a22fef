// Escape in a field of a node whose value was refused brings the old one back, as the button below it does.
const FIELD = '[class*="st-key-field-param-"]';
const BACK = '[class*="st-key-back-param-"] button';

export function escapeField(event: KeyboardEvent): void {
  const field = event.key === "Escape" && event.target instanceof Element ? event.target.closest(FIELD) : null;
  field?.querySelector<HTMLElement>(BACK)?.click();
}
