/** A JSON Schema as it comes: any keyword may be missing, of another type, or unknown. */

export type SchemaNode = { readonly [keyword: string]: unknown }

export function isSchema(value: unknown): value is SchemaNode {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
