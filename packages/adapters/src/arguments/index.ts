export type { ParseArgumentsOptions } from './parse.ts'
export { parseArguments } from './parse.ts'
export type { ArgumentErrorCode, ParsedArguments, RecoveryTag } from './tags.ts'
