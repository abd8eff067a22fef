// JSON merge patches, RFC 7396.
export type Json = null | boolean | number | string | Json[] | { [name: string]: Json };
export type JsonObject = Record<string, Json>;

// The document with the patch applied; neither of them is changed.
export function applyPatch(document: JsonObject, patch: JsonObject): JsonObject {
  const result = { ...document };
  for (const [name, value] of Object.entries(patch)) {
    const old = result[name];
    if (value === null) Reflect.deleteProperty(result, name);
    else if (!isObject(value)) result[name] = value;
    else result[name] = applyPatch(old !== undefined && isObject(old) ? old : {}, value);
  }
  return result;
}

function isObject(value: Json): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
