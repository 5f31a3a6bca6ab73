/** Checks the rules for prose in docs/style.md that can be automated: banned phrases, long sentences, dead links. */
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'

const root = resolve(import.meta.dirname, '..')
const files = execFileSync('git', ['ls-files', '*.ts', '*.mjs', '*.md'], { cwd: root, encoding: 'utf8' }).trim().split('\n')
const pages = files.filter((file) => file.endsWith('.md'))
const sources = files.filter((file) => /\/src\/.*\.ts$/.test(file))

const PHRASES =
  /\b(?:unless told|nobody|somebody|whoever|(?<!there )is none|mended|(?:go|goes|going|gone) on with|this very|and its like|some (?:thousand|million))\b/gi
/** The planner's lists of English words contain some of the phrases. */
const VOCABULARY = /^apps\/demo\/src\/planner\/(?:clauses\/intents|words\/words)\.ts$/
const MOST_WORDS = 45

function textOf(file: string): string {
  return readFileSync(join(root, file), 'utf8')
}

/** Splits a page into parts of prose, without code, table bars and link targets. */
function proseOf(markdown: string): string[] {
  return markdown
    .replace(/^```[\s\S]*?^```/gm, '')
    .replace(/<!-- tour -->[\s\S]*<!-- \/tour -->/, '')
    .replace(/\]\([^)]*\)/g, ']')
    .split(/\n\s*\n|\n(?=[#|>*-]|\d+\.)|\|/)
}

/** Returns the docstrings of a source file. Each list item is a separate part. */
function docsOf(source: string): string[] {
  return Array.from(source.matchAll(/^ *\/\*\*([\s\S]*?)\*\//gm), ([, doc = '']) => doc.replace(/^ *\* ?/gm, '')).flatMap((doc) =>
    doc.split(/\n\s*\n|\n(?=- )/),
  )
}

function longSentences(prose: readonly string[]): string[] {
  return prose
    .flatMap((part) => part.replace(/`[^`]*`/g, 'code').split(/(?<=[.!?:;])\s+/))
    .map((sentence) => sentence.replace(/\s+/g, ' ').trim())
    .filter((sentence) => sentence.split(' ').length > MOST_WORDS)
}

describe('the prose of pages and sources', () => {
  it('contains no phrase that reads as translated', () => {
    const found = [...pages, ...sources.filter((file) => !VOCABULARY.test(file))].flatMap((file) =>
      (
        textOf(file)
          .replace(/`[^`\n]*`/g, 'code')
          .match(PHRASES) ?? []
      ).map((phrase) => `${file}: ${phrase}`),
    )
    expect(found).toEqual([])
  })

  it(`has sentences of at most ${MOST_WORDS} words, on pages and in docstrings`, () => {
    const found = [
      ...pages.flatMap((file) => longSentences(proseOf(textOf(file))).map((sentence) => `${file}: ${sentence}`)),
      ...sources.flatMap((file) => longSentences(docsOf(textOf(file))).map((sentence) => `${file}: ${sentence}`)),
    ]
    expect(found).toEqual([])
  })
})

it('the README has fewer than 200 lines', () => {
  expect(textOf('README.md').trimEnd().split('\n').length).toBeLessThan(200)
})

/** Returns the anchors that GitHub generates for headings. */
function anchorsOf(markdown: string): ReadonlySet<string> {
  const headings = markdown.replace(/^```[\s\S]*?^```/gm, '').matchAll(/^#+ (.+)$/gm)
  return new Set(
    Array.from(headings, ([, heading = '']) =>
      heading
        .toLowerCase()
        .replace(/[^\p{L}\p{N}\s_-]/gu, '')
        .trim()
        .replaceAll(' ', '-'),
    ),
  )
}

it.each(pages)('every link of %s leads somewhere', (file) => {
  const links = Array.from(
    textOf(file)
      .replace(/^```[\s\S]*?^```/gm, '')
      .matchAll(/\]\((?!https?:|mailto:)([^)\s]+)\)/g),
    ([, link = '']) => link,
  )
  const dead = links.filter((link) => {
    const [path = '', anchor] = link.split('#')
    const target = path === '' ? join(root, file) : join(root, dirname(file), path)
    if (!existsSync(target)) return true
    return anchor !== undefined && target.endsWith('.md') && !anchorsOf(readFileSync(target, 'utf8')).has(anchor)
  })
  expect(dead).toEqual([])
})
