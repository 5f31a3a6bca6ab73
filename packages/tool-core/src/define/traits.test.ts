import { describe, expect, it } from 'vitest'
import { assertTraits, type ToolTraits } from './traits.ts'

describe('traits', () => {
  it('accepts valid traits, and requires none of them', () => {
    const traits: Required<ToolTraits> = {
      arguments: [{ name: 'city', type: 'string', description: '', required: true }],
      category: 'travel',
      tags: ['weather'],
      effect: 'read',
      timeoutMs: Infinity,
      maxRetries: 0,
      module: 'tools/weather',
      examples: [{ args: { city: 'Oslo' }, description: 'A city.' }],
      strict: true,
      needsApproval: false,
      maxOutputLength: 10,
      nested: ['get_*'],
      maxMediaBytes: 10,
    }
    expect(() => assertTraits(traits, 'defineTool("x")')).not.toThrow()
    expect(() => assertTraits({}, 'defineTool("x")')).not.toThrow()
    for (const trait of Object.keys(traits)) expect(() => assertTraits({ [trait]: undefined }, 'x')).not.toThrow()
  })

  it.each<[keyof ToolTraits, unknown, string]>([
    ['arguments', 'city', '"city"'],
    ['arguments', [{ name: 'city' }], '[{"name":"city"}]'],
    ['category', ' ', '" "'],
    ['tags', ['a', ''], '["a",""]'],
    ['effect', 'harmless', '"harmless"'],
    ['timeoutMs', -1, '-1'],
    ['timeoutMs', '5', '"5"'],
    ['maxRetries', 1.5, '1.5'],
    ['module', 7, '7'],
    ['examples', [{ city: 'Oslo' }], '[{"city":"Oslo"}]'],
    ['strict', 'yes', '"yes"'],
    ['needsApproval', () => true, 'a function'],
    ['maxOutputLength', Infinity, 'Infinity'],
    ['nested', false, 'false'],
    ['nested', ['', 'a'], '["","a"]'],
    ['maxMediaBytes', -1, '-1'],
  ])('T3-6: names the owner and the trait if %s is %j', (trait, value, shown) => {
    expect(() => assertTraits({ [trait]: value }, 'defineTool("x")')).toThrow(
      expect.objectContaining({
        code: 'invalid_definition',
        message: expect.stringMatching(new RegExp(`^defineTool\\("x"\\): ${trait} must be .*, got ${literally(shown)}\\.$`)),
      }),
    )
  })

  it('refuses retries of a tool that makes calls', () => {
    expect(() => assertTraits({ nested: true, maxRetries: 1 }, 'defineTool("x")')).toThrow(
      expect.objectContaining({
        code: 'invalid_definition',
        message: expect.stringContaining('defineTool("x"): maxRetries must not be set with nested'),
      }),
    )
    expect(() => assertTraits({ nested: true, maxRetries: 0 }, 'defineTool("x")')).not.toThrow()
  })
})

function literally(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
}
