import { describe, expect, it } from 'vitest'
import { parsePath } from './path.ts'

function reasonOf(path: unknown, platform: NodeJS.Platform = 'linux'): string | undefined {
  try {
    parsePath(path, platform)
    return undefined
  } catch (error) {
    expect(error).toMatchObject({ name: 'ToolError', code: 'execution_failed' })
    return (error as { reason: string }).reason
  }
}

describe('parsePath', () => {
  it.each([
    ['a/b.txt', 'a/b.txt'],
    ['./a//b/', 'a/b'],
    ['a/../b', 'b'],
    ['.', '.'],
    ['a/..', '.'],
    ['...', '...'],
    ['日本/ü.txt', '日本/ü.txt'],
    ['می\u200cروم', 'می\u200cروم'],
    ['👩\u200d💻/❤\ufe0f', '👩\u200d💻/❤\ufe0f'],
    ['__proto__', '__proto__'],
  ])('parses %j as %j', (given, path) => {
    expect(parsePath(given, 'linux')).toMatchObject({ given, path })
  })

  it.each([
    '/etc/passwd',
    '/',
    '//server/share',
    'C:/Windows/x',
    'c:\\x',
    '\\\\server\\share',
    '..',
    '../../etc/passwd',
    'a/../../x',
    'a/../../work/x',
  ])('refuses %j as outside the root', (path) => {
    expect(reasonOf(path)).toBe('path_outside_root')
  })

  it('refuses a sibling of the root whose name starts the same as outside', () => {
    expect(reasonOf('../work-evil/s.txt')).toBe('path_outside_root')
  })

  it.each([
    'a\0b',
    '..\\x',
    'a\\..\\..\\x',
    '',
    'a'.repeat(5000),
    'é'.repeat(128),
    'gpj.\u202Eexe',
    'a\nb',
    'a\u2028b',
    '\ufeffa',
    'a\u200bb',
    'a\u00adb',
    'a\u2060b',
    'a\u{e0041}b',
    'a\u{e0000}b',
    'a\u{e0100}b',
    'a\u200db',
    'é\u200d',
    'é\u200d\u200cé',
    'a\u0085b',
    'a\ud800b',
    undefined,
    null,
    7,
    ['a'],
  ])('refuses %j, which is not a path', (path) => {
    expect(reasonOf(path)).toBe('invalid_path')
  })

  it.each(['%2e%2e/x', '~/x', '....//x', 'x:stream', 'CON', 'a.', '$HOME', 'a b'])('accepts %j as an ordinary name', (path) => {
    expect(parsePath(path, 'linux').names.join('/')).toBe(path.replace('//', '/'))
  })

  it.each([
    'x:stream',
    'CON',
    'con.txt',
    'sub/NUL',
    'COM1.log',
    'lpt¹',
    'aux .c',
    'CONIN$',
    'a.',
    'a ',
    'a?',
    'a*b',
    '<a>',
    'C:x',
    '... ',
  ])('refuses %j on Windows', (path) => {
    expect(reasonOf(path, 'win32')).toBe('invalid_path')
  })

  it.each(['console', 'com', 'nullable.txt', '.git', 'a.b.c', '~/x'])('accepts %j on Windows', (path) => {
    expect(reasonOf(path, 'win32')).toBeUndefined()
  })

  it('escapes invisible characters in the message, and truncates a long path', () => {
    expect(() => parsePath('gpj.\u202Eexe')).toThrow('Path "gpj.\\u202eexe" contains an invisible character.')
    expect(() => parsePath('a\u{e0041}\u200db')).toThrow('Path "a\\udb40\\udc41\\u200db" contains')
    expect(() => parsePath('a'.repeat(5000))).toThrow(/^Path "a{100}…" is longer than 4096 bytes\.$/)
  })

  it('protects the name of an unfinished write', () => {
    expect(reasonOf(`a/.X-write-${'0'.repeat(24)}.tmp`)).toBe('protected')
  })
})
