/** The tools that the MCP conformance suite calls by name, to the extent that a tool layer can provide them. */
import { createRegistry, type Registry } from '@x/registry'
import { type ContentPart, defineTool, file, image, jsonSchema, type Tool, text } from '@x/tool-core'
import { Type } from 'typebox'

const NO_ARGS = Type.Object({})

const progress = defineTool({
  name: 'test_tool_with_progress',
  description: 'Reports its progress three times.',
  args: NO_ARGS,
  async *execute() {
    for (const step of [0, 50, 100]) yield { progress: step, total: 100 }
    return 'Done.'
  },
})

const confirmations = [
  'test_input_required_result_request_state',
  'test_input_required_result_tampered_state',
  'test_streaming_elicitation',
  'test_missing_capability',
].map((name) =>
  defineTool({
    name,
    description: 'Runs after the user approves.',
    args: NO_ARGS,
    needsApproval: true,
    execute: () => 'state-ok',
  }),
)

const hello = defineTool({
  name: 'test_input_required_result_elicitation',
  description: "Asks for the user's name, then greets the user.",
  args: NO_ARGS,
  nested: true,
  async execute(_, { ask }) {
    const { name } = await ask({ key: 'user_name', message: 'What is your name?', schema: Type.Object({ name: Type.String() }) })
    return `Hello, ${name}!`
  },
})

const rounds = defineTool({
  name: 'test_input_required_result_multi_round',
  description: 'Asks two questions, one after the other.',
  args: NO_ARGS,
  nested: true,
  async execute(_, { ask }) {
    const { name } = await ask({ key: 'step1', message: 'What is your name?', schema: Type.Object({ name: Type.String() }) })
    const schema = Type.Object({ color: Type.String() })
    const { color } = await ask({ key: 'step2', message: 'What is your favorite color?', schema })
    return `${name} likes ${color}.`
  },
})

/** Uses keywords that few libraries generate. All of them must reach the client. */
const schemaTool = defineTool({
  name: 'json_schema_2020_12_tool',
  description: 'Takes an address, with a schema that uses many keywords of JSON Schema 2020-12.',
  args: jsonSchema({
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    type: 'object',
    $defs: {
      address: {
        $anchor: 'addressDef',
        type: 'object',
        properties: { street: { type: 'string' }, city: { type: 'string' } },
      },
    },
    properties: {
      name: { type: 'string' },
      address: { $ref: '#/$defs/address' },
      contactMethod: { type: 'string', enum: ['phone', 'email'] },
      phone: { type: 'string' },
      email: { type: 'string' },
    },
    allOf: [{ anyOf: [{ required: ['phone'] }, { required: ['email'] }] }],
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
    ...{ if: { properties: { contactMethod: { const: 'phone' } }, required: ['contactMethod'] }, then: { required: ['phone'] } },
    else: { required: ['email'] },
    additionalProperties: false,
  }),
  execute: () => 'An address.',
})

const headerTool = defineTool({
  name: 'test_x_mcp_header',
  description: 'Takes a region, which HTTP clients also send in a header.',
  args: jsonSchema<{ region: string }>({
    type: 'object',
    properties: { region: { type: 'string', 'x-mcp-header': 'Region' } },
    required: ['region'],
  }),
  execute: ({ region }) => `Region: ${region}`,
})

function textTool(name: string, text: string): Tool {
  return defineTool({ name, description: `Returns the text "${text}"`, args: NO_ARGS, execute: () => text })
}

/** A PNG with one pixel, and a WAV without samples. */
const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg=='
const WAV = 'UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAIA+AAACABAAZGF0YQAAAAA='

const PARTS = {
  test_image_content: [image({ mediaType: 'image/png', base64: PNG })],
  test_audio_content: [file({ mediaType: 'audio/wav', base64: WAV })],
  test_embedded_resource: [file({ mediaType: 'text/plain', base64: btoa('This is an embedded resource.') })],
  test_multiple_content_types: [
    text('Multiple content types test:'),
    image({ mediaType: 'image/png', base64: PNG }),
    file({ mediaType: 'application/json', base64: btoa('{"test":"data","value":123}') }),
  ],
} satisfies Record<string, readonly ContentPart[]>

function partsTool([name, parts]: readonly [name: string, parts: readonly ContentPart[]]): Tool {
  return defineTool({
    name,
    description: `Returns ${parts.map(({ type }) => type).join(', ')}.`,
    args: NO_ARGS,
    execute: () => parts.length,
    toModelOutput: () => parts,
  })
}

/** Returns a registry, because one of the tools changes the list. */
export function createConformanceTools(): Registry {
  const registry: Registry = createRegistry([
    textTool('test_simple_text', 'This is a simple text response for testing.'),
    textTool('test_logging_tool', 'Nothing was logged.'),
    ...Object.entries(PARTS).map(partsTool),
    defineTool({
      name: 'test_error_handling',
      description: 'Always fails.',
      args: NO_ARGS,
      execute: () => {
        throw new Error('This tool intentionally returns an error for testing')
      },
    }),
    progress,
    ...confirmations,
    hello,
    rounds,
    schemaTool,
    headerTool,
    defineTool({
      name: 'test_trigger_tool_change',
      description: 'Adds a tool to the list, or removes it again.',
      args: NO_ARGS,
      execute: () => {
        const name = 'test_added_tool'
        if (!registry.unregister(name)) registry.register(textTool(name, 'I was added.'))
        return 'Changed.'
      },
    }),
  ])
  return registry
}
