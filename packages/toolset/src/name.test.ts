import { describe, expect, it } from 'vitest'
import { toSnakeCase } from './name.ts'

describe('toSnakeCase', () => {
  it.each([
    ['store', 'store'],
    ['listKeys', 'list_keys'],
    ['Store', 'store'],
    ['getURL', 'get_url'],
    ['parseHTMLDocument', 'parse_html_document'],
    ['URLFor', 'url_for'],
    ['ID', 'id'],
    ['toV2API', 'to_v2_api'],
    ['utf8ToUTF16', 'utf8_to_utf16'],
    ['already_URL', 'already_url'],
    ['get2Things', 'get2_things'],
    ['already_snake', 'already_snake'],
    ['_private', '_private'],
    ['', ''],
  ])('writes %j as %j', (name, snake) => {
    expect(toSnakeCase(name)).toBe(snake)
  })
})
