/** Reads the TypeScript examples of a Markdown file as files that can be compiled and run. */

/**
 * Returns all ```ts blocks, in order, as one module `main.ts`. A block that starts with a comment with a file name, such as
 * `// web-search.ts`, becomes a separate file. Imports that appear in several blocks are merged.
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
 * Returns the programs to run, in order: one for each line `npx tsx NAME.ts` in an ```sh block, with the expected output after a `#`. If
 * there are no such lines, returns `main.ts`.
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
