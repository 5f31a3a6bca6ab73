/** Linear and quadratic functions for the test of `work.ts`. */
import type { Reading } from './work-thread.ts'

const look = (text: string) => {
  let sum = 0
  for (let at = 0; at < text.length; at++) sum += text.charCodeAt(at)
  return sum
}

export const readings: readonly Reading[] = [
  { name: 'once', read: (length) => void look('x'.repeat(length)) },
  {
    name: 'each piece where the last one ended',
    read(length) {
      let all = ''
      for (let at = 0; at < length; at++) {
        all += 'x'
        all.indexOf('y', all.length - 1)
      }
    },
  },
  {
    name: 'all received text, by indexOf',
    read(length) {
      let all = ''
      for (let at = 0; at < length; at++) {
        all += 'x'
        all.indexOf('y')
      }
    },
  },
  {
    name: 'all received text, by a pattern',
    read(length) {
      let all = ''
      for (let at = 0; at < length; at++) {
        all += 'x'
        ;/y/.test(all)
      }
    },
  },
  {
    name: 'from the start each time',
    read(length) {
      for (let at = 0; at < length; at++) look('x'.repeat(at))
    },
  },
]
