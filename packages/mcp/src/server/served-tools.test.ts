import { defineTool, type Tool, type ToolSource } from '@x/tool-core'
import { Type } from 'typebox'
import { expect, it } from 'vitest'
import { ServedTools } from './served-tools.ts'

function toolNamed(name: string): Tool {
  return defineTool({ name, description: `The tool ${name}.`, args: Type.Object({}), execute: () => name }) as never
}

it('the listing ends even if the source reports a change whenever it is listed', async () => {
  let change = () => {}
  const source: ToolSource = {
    async tools() {
      change()
      return [toolNamed('a')]
    },
    onChange(listener) {
      change = listener
      return () => {}
    },
  }
  const served = new ServedTools(source)
  for (let turn = 0; turn < 3; turn++) expect([...(await served.listing()).names]).toEqual(['a'])
})

it('the listing is current if the source changes again while it lists its tools', async () => {
  let change = () => {}
  let names = ['a']
  let release = () => {}
  let isHeld = Promise.resolve()
  const source: ToolSource = {
    async tools() {
      const tools = names.map((name) => toolNamed(name))
      await isHeld
      return tools
    },
    onChange(listener) {
      change = listener
      return () => {}
    },
  }
  const served = new ServedTools(source)
  const namesOf = async () => [...(await served.listing()).names]
  expect(await namesOf()).toEqual(['a'])
  isHeld = new Promise((resolve) => {
    release = resolve
  })
  const listings: Promise<readonly string[]>[] = []
  for (const name of ['b', 'c']) {
    names = [...names, name]
    change()
    listings.push(namesOf())
    await new Promise(setImmediate)
  }
  release()
  expect(await Promise.all(listings)).toEqual([names, names])
  expect(await namesOf()).toEqual(names)
})
