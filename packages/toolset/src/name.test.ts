import { describe, expect, it } from 'vitest'
import { toSnakeCase } from './name.ts'

describe('toSnakeCase', () => {
  it.each([
    ['store', 'store'],
    ['listKeys', 'list_keys'],
    ['Store', 'store'],
    ['parseURL', 'parse_u_r_l'],
    ['get2Things', 'get2_things'],
    ['already_snake', 'already_snake'],
    ['_private', '_private'],
    ['', ''],
  ])('writes %j as %j', (name, snake) => {
    expect(toSnakeCase(name)).toBe(snake)
  })
})
