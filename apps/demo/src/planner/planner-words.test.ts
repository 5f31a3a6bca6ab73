/** The planner must be general: it works by structure, not by the words of these domains. */

import { readdirSync, readFileSync } from 'node:fs'
import { createRegistry } from '@x/registry'
import ts from 'typescript'
import { expect, it } from 'vitest'
import { DOMAINS } from '../domains/index.ts'
import { loadDomain } from '../domains/load-domain.ts'
import { createDatabase } from '../sql/database.ts'

const PLANNER = new URL('./', import.meta.url)

/**
 * Words of the domains' tools that are also plain English or JSON Schema: function words, directions, limits, and words for kinds of
 * values.
 */
const GENERAL = new Set(['to', 'from', 'for', 'source', 'max', 'min', 'id', 'text', 'title', 'date', 'time', 'count'])

/** A thesaurus of everyday verbs, and idioms for such verbs. They may contain verbs that are in the names of tools. */
const THESAURI: readonly string[] = ['words/lexicon.ts', 'words/idioms.ts']

/** `money.ts` names the fields that are amounts in a result with a currency. It only changes how they are shown, not what is called. */
const MONEY = 'money.ts'

/** Matches the planner's description of itself. */
const OWN_WORDS = /not a language model/g

it('contains no word of any domain', async () => {
  const words = await domainWords()
  expect(words.size).toBeGreaterThan(30)
  const found = plannerFiles().flatMap((file) => {
    const literals = file === MONEY ? new Set<string>() : wordsOf(literalsIn(file))
    return [...words].filter((word) => literals.has(word)).map((word) => `${word} in ${file}`)
  })
  const way = 'Fix the rule that knows a domain; a word that is plain English goes into GENERAL, with its reason'
  expect(found, way).toEqual([])
})

it.each(THESAURI)('has only verbs of tools in %s, and no noun of any domain', (file) => {
  const words = wordsOf(literalsIn(file))
  const nouns =
    'treasure hunt hint city state address product cart shop category price rating quantity shipping memory key value laptop account balance bill payee event seat ticket reminder title language'
  expect(nouns.split(' ').filter((noun) => words.has(noun))).toEqual([])
})

it('knows only amounts in the file that formats money, and no noun of one domain', () => {
  const nouns = 'account product cart shop bill payee event seat ticket order checkout transaction'
  const words = wordsOf(literalsIn(MONEY))
  expect(nouns.split(' ').filter((noun) => words.has(noun))).toEqual([])
})

/** Returns the words of the tools' names, categories and argument names. */
async function domainWords(): Promise<ReadonlySet<string>> {
  const words = new Set<string>()
  const database = createDatabase({ kind: 'sqlite', file: ':memory:' })
  for (const entry of DOMAINS) {
    const domain = await loadDomain(entry)
    const tools = await createRegistry(domain.createTools(database)).resolve()
    for (const { name, category = '', arguments: list } of tools.values()) {
      for (const word of wordsOf([name, category, ...list.map((argument) => argument.name)])) words.add(word)
    }
  }
  for (const word of GENERAL) words.delete(word)
  return words
}

function plannerFiles(): readonly string[] {
  const files = readdirSync(PLANNER, { recursive: true, encoding: 'utf8' }).map((file) => file.replaceAll('\\', '/'))
  return files.filter((file) => file.endsWith('.ts') && !/\.test(-d)?\.ts$/.test(file) && !THESAURI.includes(file))
}

/** Returns every text in the code: strings, templates and regular expressions, but not the names of modules. */
function literalsIn(file: string): readonly string[] {
  const source = ts.createSourceFile(file, readFileSync(new URL(file, PLANNER), 'utf8'), ts.ScriptTarget.Latest, true)
  const literals: string[] = []
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) return
    if (ts.isLiteralExpression(node) || ts.isTemplateMiddleOrTemplateTail(node) || ts.isTemplateHead(node))
      literals.push(node.text)
    ts.forEachChild(node, visit)
  }
  visit(source)
  return literals
}

function wordsOf(texts: readonly string[]): ReadonlySet<string> {
  return new Set(
    texts.flatMap(
      (text) =>
        text
          .toLowerCase()
          .replace(OWN_WORDS, '')
          .match(/[a-z]+/g) ?? [],
    ),
  )
}
