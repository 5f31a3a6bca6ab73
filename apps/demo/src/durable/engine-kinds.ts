/** The engines that a command line may name by `--durable`. */
export const ENGINES = ['file', 'dbos', 'restate'] as const

export type EngineKind = (typeof ENGINES)[number]
