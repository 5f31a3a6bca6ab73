/** The type of a value of which only a part has come. */

/** Every property may be missing, on every level; what is neither a list nor an object is there or not. */
export type PartialDeep<T> = T extends readonly (infer Item)[]
  ? readonly PartialDeep<Item>[]
  : T extends object
    ? { readonly [Key in keyof T]?: PartialDeep<T[Key]> }
    : T
