/** Compares the comments behind `console.log(…)` in an example with what its lines printed. */

/** @param prints In order: `line` of the code, counted from 1, and `text`. */
export function findWrongPrints(code, prints) {
  return code.split('\n').flatMap((source, index) => {
    const [, comment] = /\bconsole\.log\(.*\) ?\)*,? \/\/ (.*)$/.exec(source) ?? []
    if (comment === undefined) return []
    const printed = prints.filter(({ line }) => line === index + 1).map(({ text }) => text)
    if (printed.length > 0 && toPattern(comment).test(squeeze(printed.join(', ')))) return []
    return [`${source.trim()}\n  printed: ${printed.length === 0 ? 'nothing' : printed.join(', ')}`]
  })
}

/** `…` stands for any text. Blanks don't count: readers don't wrap lists as Node does. */
function toPattern(comment) {
  const parts = comment.split('…').map((part) => squeeze(part).replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'))
  return new RegExp(`^${parts.join('.*')}$`, 's')
}

function squeeze(text) {
  return text.replace(/\s+/g, '')
}
