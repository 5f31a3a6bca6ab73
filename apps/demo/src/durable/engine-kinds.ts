/** The engines for `--durable`. */
export const ENGINES = ['file', 'dbos', 'restate'] as const

export type EngineKind = (typeof ENGINES)[number]
