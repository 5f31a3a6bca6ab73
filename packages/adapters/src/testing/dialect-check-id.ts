/** The checks of the contract of dialects. */
export type DialectCheckId =
  | 'round-trip'
  | 'round-trip-turn'
  | 'round-trip-open'
  | 'cut-anywhere'
  | 'plain-text'
  | 'streams'
  | 'prefix'
  | 'damaged'
  | 'linear'
  | 'unknown-tool'
  | 'result'
  | 'ids-unique'
