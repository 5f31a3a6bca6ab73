import { expect, it } from 'vitest'
import { findWrongEntries } from './entries.mjs'

const built = (file: string) => ({ types: `./dist/${file}.d.ts`, default: `./dist/${file}.js` })
const entry = (file: string) => ({ '@x/source': `./src/${file}.ts`, ...built(file) })
const exports = { '.': entry('index'), './wire': entry('wire/index'), './package.json': './package.json' }
const published = { '.': built('index'), './wire': built('wire/index'), './package.json': './package.json' }
const check = (own: object, ofUsers: object) =>
  findWrongEntries({ name: '@x/some', exports: own, publishConfig: { exports: ofUsers } })

it('accepts a package whose users get all entries', () => {
  expect(check(exports, published)).toEqual([])
})

it.each<[string, object, object, string]>([
  [
    'an entry that users do not get',
    { ...exports, './new': entry('new') },
    published,
    '@x/some: publishConfig.exports["./new"] must be {"types":"./dist/new.d.ts","default":"./dist/new.js"}. Otherwise, it isn\'t published.',
  ],
  [
    'an entry that only users get',
    exports,
    { ...published, './new': built('new') },
    '@x/some: publishConfig.exports["./new"] is not in exports. Add it there, or remove it.',
  ],
  [
    'an entry of users with another file',
    exports,
    { ...published, './wire': built('wire') },
    '@x/some: publishConfig.exports["./wire"] must be {"types":"./dist/wire/index.d.ts","default":"./dist/wire/index.js"}. Otherwise, it isn\'t published.',
  ],
  [
    'an entry without a source',
    { ...exports, '.': built('index') },
    published,
    '@x/some: exports["."] must be {"@x/source":"./src/….ts",',
  ],
  [
    'an entry with types that are not those of its source',
    { ...exports, '.': { ...entry('index'), types: './dist/other.d.ts' } },
    published,
    '@x/some: exports["."] must be {"@x/source":"./src/index.ts","types":"./dist/index.d.ts","default":"./dist/index.js"}.',
  ],
])('reports %s, with what to write', (_, own, ofUsers, message) => {
  expect(check(own, ofUsers)[0]).toContain(message)
})
