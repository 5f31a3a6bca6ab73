import { describe, expect, it } from 'vitest'
import { recoverJson } from '../index.ts'

describe('words that could stand for omitted data', () => {
  it.each([
    ['a path before the value', 'Reads /etc/hosts: {"a": 1}'],
    ['another path', 'In ~/etc, ./etc.d and x/etc: {"a": 1}'],
    ['what to keep', '{"a": 1 // keep it small\n}'],
    ['what to keep, in a block', '{"a": 1 /* keep slashes */}'],
    ['what to add', '{"a": 1 // add tax\n}'],
    ['where to put it', '{"a": 1 // put first\n}'],
  ])('are ignored in ordinary text: %s', (_, text) => {
    expect(recoverJson(text)).toMatchObject({ ok: true, value: { a: 1 } })
  })

  it.each([
    ['etc. in prose', 'Hosts, ports, etc: {"a": 1}'],
    ['etc. at the end of a sentence', '{"a": 1} and ports etc.'],
    ['what is kept', '{"a": 1, // keep the rest\n}'],
    ['what is kept unchanged', '{"a": 1, // keep timeout as is\n}'],
    ['more to add', '{"a": 1, // add more items\n}'],
    ['a value to insert', '{"a": 1, // put your key here\n}'],
    ['a value to fill in', '{"a": 1, // fill in\n}'],
  ])('are refused as a placeholder: %s', (_, text) => {
    expect(recoverJson(text)).toMatchObject({ ok: false, code: 'elided' })
  })
})
