// Keeps objects that are equal, so that nothing is redrawn for them.
export function reuseIfEqual<T>(old: T, fresh: T): T {
  return old === fresh || JSON.stringify(old) === JSON.stringify(fresh) ? old : fresh;
}

// Keeps the parts of an object that are equal, and the object itself if all are.
export function reuseEqualParts<T extends object>(old: T | undefined, fresh: T): T {
  if (!old) return fresh;
  const keys = Object.keys(fresh) as (keyof T)[];
  const parts = keys.map((key) => [key, reuseIfEqual(old[key], fresh[key])] as const);
  const equal = keys.length === Object.keys(old).length && parts.every(([key, part]) => part === old[key]);
  return equal ? old : (Object.fromEntries(parts) as T);
}
