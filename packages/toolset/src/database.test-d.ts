import type { ArgsOf, NameOf, OutputOf } from '@x/tool-core'
import { DatabaseToolset, type SqlClient } from './database.ts'
import type { ToolsOf } from './toolset/toolset.ts'

type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false
function expectType<_T extends true>(): void {}

declare const client: SqlClient

// Tool names are literal types, and only the tools that `access` allows exist.
const queried = () => new DatabaseToolset({ client })
type Read = 'database_tables' | 'database_describe' | 'database_select'
expectType<Equal<NameOf<ToolsOf<ReturnType<typeof queried>>>, Read | 'database_query'>>()
const executed = () => new DatabaseToolset({ client: () => client, access: 'execute' })
expectType<Equal<NameOf<ToolsOf<ReturnType<typeof executed>>>, Read | 'database_query' | 'database_execute'>>()
const selected = () => new DatabaseToolset({ client, name: 'shop', access: 'select', tables: ['orders'] })
expectType<Equal<NameOf<ToolsOf<ReturnType<typeof selected>>>, 'shop_tables' | 'shop_describe' | 'shop_select'>>()

// The arguments and the output of each tool are typed, for direct calls and for a model's.
type Execute = Extract<ToolsOf<ReturnType<typeof executed>>, { name: 'database_execute' }>
expectType<Equal<OutputOf<Execute>['changes'], number | null>>()
expectType<Equal<keyof ArgsOf<Execute>, 'sql' | 'params'>>()
void (() => queried().query({ sql: 'SELECT $1', params: [1, null] }))
void (() => selected().select({ table: 'orders', where: [{ column: 'id', operator: '<', value: 3 }] }))

// @ts-expect-error A toolset with access `query` has no `execute`.
void (() => queried().execute({ sql: 'DELETE FROM t' }))
// @ts-expect-error A toolset with access `select` takes no SQL.
void (() => selected().query({ sql: 'SELECT 1' }))
// @ts-expect-error The SQL is missing.
void (() => queried().query({}))
// @ts-expect-error The operator is unknown.
void (() => selected().select({ table: 'orders', where: [{ column: 'id', operator: 'matches', value: 3 }] }))
// @ts-expect-error The access is unknown.
void (() => new DatabaseToolset({ client, access: 'admin' }))
// @ts-expect-error A client is required.
void (() => new DatabaseToolset({}))
