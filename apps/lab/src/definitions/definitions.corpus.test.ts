/** Converts external definitions to tools: all functions of BFCL, and all OpenAI-style definitions of the corpora. */
import { expect, it } from 'vitest'
import { describeCorpus } from '../../test/conformance/corpus.ts'
import { faultsOfCalls, toTools } from '../../test/definitions.ts'
import { readFolders, readJsonFiles } from '../conformance/read-cases.ts'
import { convertBFCL } from '../conformance/shaping/shaping-bfcl.ts'
import { readShapingRows } from '../conformance/shaping/shaping-case.ts'
import { corpusPath } from '../corpora.ts'
import { type FunctionDefinition, openaiDefinitionsIn } from './openai-definitions.ts'

const FULL = Boolean(process.env.X_FULL)
/** Only every twentieth definition is compiled by default, because compiling a schema takes milliseconds. */
const EVERY = FULL ? 1 : 20

/** Replaces the Python type `float`, which three recorded definitions have. */
function withJsonTypes(definition: FunctionDefinition): FunctionDefinition {
  const { schema, conversions } = convertBFCL(definition.parameters)
  return conversions.some(({ tag }) => tag === 'type') ? { ...definition, parameters: schema } : definition
}

const functions = readShapingRows(`${corpusPath('bfcl')}/tools.json`).map((row): FunctionDefinition => {
  const { name, description, parameters } = row as unknown as FunctionDefinition
  return { name, description, parameters: convertBFCL(parameters).schema }
})

describeCorpus('functions of BFCL', functions, () => {
  const { tools, refused } = toTools(functions)

  it('all become tools', async () => {
    expect(refused).toEqual([])
    expect(tools).toHaveLength(3_420)
    expect(await faultsOfCalls(tools.filter((_, index) => index % EVERY === 0))).toEqual([])
  })
})

const definitions = [corpusPath('wire'), corpusPath('dialects'), ...readFolders(corpusPath('wire/cases'))]
  .flatMap(readJsonFiles)
  .flatMap(({ json }) => openaiDefinitionsIn(json))
  .map(withJsonTypes)
const accepted = readShapingRows(`${corpusPath('wire')}/accepted_tools.json`)
  .filter(({ dialect }) => dialect === 'openai-chat' || dialect === 'openai-responses')
  .flatMap(({ name, description, schema: parameters }) =>
    openaiDefinitionsIn({ type: 'function', name, description, parameters }),
  )

describeCorpus('OpenAI-style definitions', definitions, () => {
  const all = [...definitions, ...accepted]
  const { tools, refused } = toTools(all)

  it('all become tools', async () => {
    expect(refused).toEqual([])
    expect(all.length).toBeGreaterThan(1_000)
    expect(await faultsOfCalls(tools.filter((_, index) => index % EVERY === 0))).toEqual([])
  })
})
