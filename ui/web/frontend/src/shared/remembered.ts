// A choice that the browser keeps, as far as it may.
import { useCallback, useState } from "react";

const PREFIX = "forager.";

export function useRemembered(name: string): [string, (value: string) => void] {
  const [value, setValue] = useState(() => read(name));
  const remember = useCallback((next: string) => {
    setValue(next);
    keep(name, next);
  }, [name]);
  return [value, remember];
}

function read(name: string): string {
  try {
    return localStorage.getItem(PREFIX + name) ?? "";
  } catch {
    return ""; // storage is off
  }
}

function keep(name: string, value: string): void {
  try {
    localStorage.setItem(PREFIX + name, value);
  } catch {
    // It holds until the page is closed.
  }
}
