import { describe, expect, it } from 'vitest'
import type { Loose } from '../../test/loose.ts'
import { DatabaseToolset } from '../database.ts'
import { openPglite } from '../pglite.ts'
import { openPostgres } from '../postgres.ts'
import { openSqlite } from '../sqlite.ts'

const opened = async () => ({})

describe('an invalid option is reported with the expected value', () => {
  it.each<[string, () => unknown, string]>([
    ['no options', () => new DatabaseToolset(undefined as Loose), 'DatabaseToolset takes an options object'],
    [
      'no client',
      () => new DatabaseToolset({} as Loose),
      'Toolset "database": client must be a client, or a function that opens one, got undefined.',
    ],
    ['a promise', () => new DatabaseToolset({ client: opened() } as Loose), 'got a promise; await it first.'],
    [
      'access',
      () => new DatabaseToolset({ client: opened, access: 'write' } as Loose),
      'access must be "select", "query" or "execute", got a string.',
    ],
    [
      'trusted',
      () => new DatabaseToolset({ client: opened, trusted: 'yes' } as Loose),
      'trusted must be true or false, got a string.',
    ],
    [
      'tables',
      () => new DatabaseToolset({ client: opened, access: 'select', tables: 'secret_orders' } as Loose),
      'Toolset "database": tables must be a list of names, got a string.',
    ],
  ])('%s', (_name, make, message) => {
    expect(make).toThrow(expect.objectContaining({ code: 'invalid_definition', message: expect.stringContaining(message) }))
  })

  it.each<[string, () => unknown, string]>([
    ['no file', () => openSqlite({} as Loose), 'openSqlite: file must be a database path, or ":memory:", got undefined.'],
    [
      'a path',
      () => openSqlite('shop.db' as Loose),
      "openSqlite takes an options object, such as { file: 'shop.db' }, got a string.",
    ],
    ['readOnly', () => openSqlite({ file: 'a', readOnly: 'no' } as Loose), 'readOnly must be true or false, got a string.'],
    [
      'no url',
      () => openPostgres({ url: undefined } as Loose),
      'openPostgres: url must be a database URL that starts with postgres:// or postgresql://, got undefined.',
    ],
    [
      'another address',
      () => openPostgres({ url: 'localhost:5432/shop' }),
      'openPostgres: url must be a database URL that starts with postgres:// or postgresql://, got a string.',
    ],
    [
      'a password with special characters',
      () => openPostgres({ url: 'postgres://ann:hunter#2@localhost/shop' }),
      'openPostgres: url is malformed. In the user and the password, write special characters as encodeURIComponent does.',
    ],
    [
      'a missing certificate',
      () => openPostgres({ url: 'postgres://localhost/shop?sslmode=verify-full&sslrootcert=/nowhere/root.pem' }),
      'openPostgres: url names a certificate or a key that cannot be read (ENOENT).',
    ],
    [
      'functions',
      () => openPostgres({ url: 'postgres://nowhere', functions: 'area_of' } as Loose),
      'openPostgres: functions must be a list of names, got a string.',
    ],
    ['folder', () => openPglite({ folder: 3 } as Loose), 'openPglite: folder must be a folder path, got 3.'],
  ])('%s', async (_name, open, message) => {
    await expect(Promise.resolve(open())).rejects.toMatchObject({
      code: 'invalid_definition',
      message: expect.stringContaining(message),
    })
  })
})
