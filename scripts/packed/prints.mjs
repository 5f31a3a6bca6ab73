/** Compares what an example prints with the output in the comments after `console.log(…)` and after the example's command. */

/**
 * @param prints What was printed, in order: the `line` in the code, counted from 1, and the `text`.
 * @param output The expected output of the whole program, if the command's comment shows it.
 */
export function findWrongPrints(code, prints, output) {
  const wrong = code.split('\n').flatMap((source, index) => {
    const [, comment] = /\bconsole\.log\(.*\) ?\)*,? \/\/ (.*)$/.exec(source) ?? []
    if (comment === undefined) return []
    const printed = prints.filter(({ line }) => line === index + 1).map(({ text }) => text)
    if (printed.length > 0 && toPattern(comment).test(squeeze(printed.join(', ')))) return []
    return [`${source.trim()}\n  printed: ${printed.length === 0 ? 'nothing' : printed.join(', ')}`]
  })
  const whole = prints.map(({ text }) => text).join(' ')
  return output === undefined || toPattern(output).test(squeeze(whole)) ? wrong : [...wrong, `${output}\n  printed: ${whole}`]
}

/** `…` matches any text. White space is ignored, because authors wrap lists differently than Node. */
function toPattern(comment) {
  const parts = comment
    .replace(/^for example: /, '')
    .split('…')
    .map((part) => squeeze(part).replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'))
  return new RegExp(`^${parts.join('.*')}$`, 's')
}

function squeeze(text) {
  return text.replace(/\s+/g, '')
}
