export type { CreateLMOptions } from './create-lm.ts'
export { createLM } from './create-lm.ts'
export type { LMErrorCode, LMErrorOptions } from './errors.ts'
export { LMError } from './errors.ts'
