import { afterEach, describe, expect, it } from 'vitest'
import { chatAdapter } from './chat.ts'
import { defaultAdapter, setDefaultAdapter } from './default-adapter.ts'
import { nativeAdapter } from './native.ts'

describe('the default adapter', () => {
  afterEach(() => setDefaultAdapter(undefined))

  it('is nativeAdapter until another one is chosen, and after it is reset', () => {
    expect(defaultAdapter()).toBe(nativeAdapter)
    setDefaultAdapter(chatAdapter)
    expect(defaultAdapter()).toBe(chatAdapter)
    setDefaultAdapter(undefined)
    expect(defaultAdapter()).toBe(nativeAdapter)
  })

  it('is shared by two copies of the package', async () => {
    setDefaultAdapter(chatAdapter)
    const specifier = './default-adapter.ts?copy'
    const copy: typeof import('./default-adapter.ts') = await import(/* @vite-ignore */ specifier)
    expect(copy.defaultAdapter).not.toBe(defaultAdapter)
    expect(copy.defaultAdapter()).toBe(chatAdapter)
  })

  it("refuses a value that isn't an adapter", () => {
    for (const wrong of [null, 'chat', () => chatAdapter, {}])
      expect(() => setDefaultAdapter(wrong as never)).toThrow('not an adapter')
  })
})
