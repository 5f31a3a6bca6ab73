/** Text that takes other parsers quadratic time, or overflows their stack. */

import { type ArgumentStream, argumentStream, parseArguments } from '../../src/arguments/index.ts'
import type { Reading } from '../work-thread.ts'

/** Returns texts of this length, or slightly longer. */
export function bombsOf(length: number): readonly string[] {
  const fill = (piece: string) => piece.repeat(Math.ceil(length / piece.length))
  return [
    ...[
      ' ',
      '"',
      '\\',
      '`',
      '{',
      '[',
      '(',
      ']',
      ',',
      '{a',
      '{"a":"x"y',
      '[1,',
      '{}',
      '{"k":1,',
      '"a" ',
      'x ',
      '<a>',
      '/*',
      '//\n',
      '\u00a0',
    ].map(fill),
    `{"a":"${fill('x"y')}`,
    `{"a":"${fill(' "y" ')}"}`,
    `{"a":"${fill('x, "y')}`,
    `{"a":"${fill(' "/**/„b" ')}`,
    `{"a":"${fill(' "#x" ')}`,
    `["a"${fill(' "//x"')}`,
    `{"a":"${fill(' "/**/\'k\'#x" ')}`,
    `{"a":"${fill('\\')}`,
    `{"a":"${fill('lorem ipsum ')}`,
    `{"a":${fill('1')}}`,
    `{"a":${fill('a')}}`,
    `{"a":${fill('a ')}}`,
    `{${fill('a')}:1}`,
    `["a"${fill(' /* c */ ')}]`,
    `{"a":1}${fill(' ')}x`,
    `{"a":1}${fill('```')}`,
    `["a" ${fill('<b>')}]`,
    `Sure ${fill('( ')}{"a":1}`,
    `[${fill('"a" ')}]`,
    `{${fill('"a":1 ')}}`,
    `{\\"a\\":\\"${fill('\\\\n')}\\"}`,
    ...['<think></think>', 'x</think>', '<think>', '~', '~~~\n', '\n- ', 'x: ', 'say "x" ', '<x>\n', "l'l", '"a: ', "u'"].map(
      fill,
    ),
    `<think>${fill('{"a":1}')}`,
    `${fill('x(')}{"a":1}`,
    `${fill('x ')}= {"a":1}`,
    `${fill(' ')}= {"a":1}`,
    `{"a":1} ${fill("it's ")}`,
    `{'a':'${fill("it's ")}`,
    `{'a':'${fill("O'N")}'}`,
    `["a"${fill('，"b"')}]`,
    `{"a":"${fill('"，')}"}`,
    `{"a: ${fill('1, ')}"b": 2}`,
    `{"a: ${fill('"')}`,
    `{${fill('"a: 1, ')}}`,
    `{${fill("'a: 1, ")}}`,
    `{"a":"${fill('\\x4')}"}`,
    `{"a":"${fill('\\U0001')}"}`,
    `[1${fill(' /* and */ ')}]`,
    `[${fill(`1,//${' '.repeat(90)}x\n`)}]`,
    JSON.stringify(JSON.stringify(JSON.stringify(fill('x')))),
    `{'a':r'${fill('\\d')}'}`,
  ]
}

/** Returns an argument stream that received the text in small pieces. */
export function inPieces(text: string): ArgumentStream {
  const stream = argumentStream()
  for (let at = 0; at < text.length; at += 16) stream.push(text.slice(at, at + 16))
  return stream
}

export const readings: readonly Reading[] = bombsOf(1).map((start, index) => ({
  name: start,
  read(length) {
    const text = bombsOf(length)[index] as string
    parseArguments(text)
    inPieces(text).end()
  },
}))
