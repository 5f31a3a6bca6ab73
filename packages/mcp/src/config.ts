export type { ConfiguredServer, McpConfigOptions } from './config/read-config.ts'
export { readMcpConfig } from './config/read-config.ts'
