// What is equal stays the same object, so that nothing is drawn anew for it.
export function same<T>(old: T, fresh: T): T {
  return old === fresh || JSON.stringify(old) === JSON.stringify(fresh) ? old : fresh;
}

// The parts of an object that are equal stay the same; the object itself where all do.
export function sameParts<T extends object>(old: T | undefined, fresh: T): T {
  if (!old) return fresh;
  const keys = Object.keys(fresh) as (keyof T)[];
  const parts = keys.map((key) => [key, same(old[key], fresh[key])] as const);
  const equal = keys.length === Object.keys(old).length && parts.every(([key, part]) => part === old[key]);
  return equal ? old : (Object.fromEntries(parts) as T);
}
