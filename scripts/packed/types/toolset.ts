/** Misuses of @x/toolset. Each one must be a type error. */
import { method, Toolset } from '@x/toolset'
import { DatabaseToolset } from '@x/toolset/database'
import { FileSystemToolset } from '@x/toolset/filesystem'
import { MemoryToolset } from '@x/toolset/memory'
import { openPglite } from '@x/toolset/pglite'
import { openPostgres } from '@x/toolset/postgres'
import { openSqlite } from '@x/toolset/sqlite'
import * as Type from 'typebox'

class Shop extends Toolset {
  readonly name = 'shop'
  readonly order = method({ description: 'Orders.', args: Type.Object({ count: Type.Integer() }), execute: ({ count }) => count })
}
// @ts-expect-error a count is a number
new Shop().order({ count: 'one' })
// @ts-expect-error a tag is text
new MemoryToolset().store({ key: 'a', value: 'b', tags: [1] })
// @ts-expect-error a file system toolset must have a root
new FileSystemToolset({})
// @ts-expect-error the access must be 'select', 'query' or 'execute'
new DatabaseToolset({ client: () => openSqlite({ file: ':memory:' }), access: 'admin' })
// @ts-expect-error a file is a path
openSqlite({ file: 1 })
// @ts-expect-error an address is text
openPostgres({ url: 1 })
// @ts-expect-error a folder is a path
openPglite({ folder: 1 })
