/** The TypeScript examples of a Markdown file, as files that can be compiled and run. */

/**
 * All ```ts blocks, in order, as one module `main.ts`; a block whose first line is a comment with a file name, such as
 * `// web-search.ts`, is a file of its own. Imports that appear in several blocks are merged.
 */
export function readExamples(markdown) {
  const files = new Map()
  const imports = new Map()
  const code = []
  for (const [, block] of markdown.matchAll(/^```ts\n([\s\S]*?)^```$/gm)) {
    const name = /^\/\/ ([\w./-]+\.ts)\n/.exec(block)?.[1]
    if (name !== undefined) files.set(name, block)
    else code.push(hoistImports(block, imports))
  }
  if (code.length > 0) files.set('main.ts', [...renderImports(imports), ...code, 'export {}', ''].join('\n'))
  return files
}

/**
 * The programs to run, in order: each line `npx tsx NAME.ts` of an ```sh block, with its output after a `#`. Without such lines, `main.ts`.
 */
export function readCommands(markdown) {
  const lines = [...markdown.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].flatMap(([, block]) => block.split('\n'))
  const commands = lines.flatMap((line) => {
    const [, file, output] = /^(?:\w+=\S+ )?npx tsx ([\w-]+\.ts)(?: +# (.+))?$/.exec(line) ?? []
    return file === undefined ? [] : [{ file, output }]
  })
  return commands.length > 0 ? commands : [{ file: 'main.ts' }]
}

function hoistImports(block, imports) {
  return block.replace(/^import \{([^}]*)\} from '([^']+)'$/gm, (_, names, module) => {
    const known = imports.get(module) ?? new Set()
    for (const name of names.split(',')) if (name.trim() !== '') known.add(name.trim())
    imports.set(module, known)
    return ''
  })
}

function renderImports(imports) {
  return [...imports].map(([module, names]) => `import { ${[...names].join(', ')} } from '${module}'`)
}
