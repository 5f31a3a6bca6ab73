export type { McpErrorCode } from './errors.ts'
export { McpError } from './errors.ts'
