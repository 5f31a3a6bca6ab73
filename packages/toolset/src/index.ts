export type { MethodOptions, ToolMethod } from './method.ts'
export { method } from './method.ts'
export type { ToolsOf } from './toolset.ts'
export { Toolset } from './toolset.ts'
