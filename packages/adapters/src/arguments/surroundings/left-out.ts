/** Detects placeholders for data that the model left out, and comments that may hide members. */

/** An unquoted phrase in place of data that was left out. */
const PHRASE =
  /^(?:omitted|todo|tbd|see (?:above|below)|same as (?:before|above)|and so (?:on|forth)|etc|(?:(?:and|plus|many|several|some|the) )+(?:\d+ )?(?:more|others?|rest|remaining)(?: \w+)?)\.?$/i
const WORDS =
  /(?<![/\\.~\w-])(?:etc|usw)(?![/\\\w])|\b(?:and so (?:on|forth)|(?:and|plus|many|several) (?:more|others?)|omitted|skipped|snip|truncated|abbreviated|shortened|for brevity|likewise)\b/i
const OTHER_WORDS = /等等|省略|и т\. ?д|и так далее/i
const COMMENT_START =
  /^(?:\.\.\.|…|(?:and |\d+ )?(?:more|skip|others?|(?:the )?rest|remaining|further)\b|(?:same|see|as) (?:as|for|above|before|below)\b|repeat|continue|unchanged\b|existing\b|fill in\b|(?:add|insert|keep|put)\b.*\b(?:more|others?|(?:the )?rest|remaining|existing|same|current|unchanged|here|your|as (?:is|before|above))\b|your\b|to ?do\b|tbd\b)/i
const ELLIPSIS_END = /(?:\.\.\.|…)$/
/** Number of characters to check at each end of a comment. */
const LONGEST = 100

export function isPhraseForData(phrase: string): boolean {
  return PHRASE.test(phrase)
}

export function hasWordsForData(prose: string): boolean {
  return hasWords(prose) || prose.includes('...') || prose.includes('…')
}

/** Tests two patterns instead of one. A single pattern for all languages would need the `u` flag, which is nine times slower. */
function hasWords(text: string): boolean {
  return WORDS.test(text) || OTHER_WORDS.test(text)
}

/** Returns true for a comment in place of data that was left out. `comment` includes its delimiters. */
export function isCommentForData(comment: string): boolean {
  const start = comment.slice(0, LONGEST).replace(/^[#/*\s([<-]+/, '')
  const end = withoutEnd(withoutEnd(comment.slice(-LONGEST).trimEnd(), '*/'), ')')
  return COMMENT_START.test(start) || ELLIPSIS_END.test(end) || hasWords(start) || hasWords(end)
}

/**
 * Returns true if the comment may contain members, such as `// "dry_run": {`, or may be part of a string that lost a quote.
 * `comment` includes its delimiters.
 */
export function mayHideMembers(comment: string): boolean {
  // A closing quote and a colon, as in `"a":`, or a word and a colon at the start of the comment, as in `//a:`.
  const key = /["'`“”„‘’´]\s*[:：]|^(?:#|\/\/|\/\*)[\p{L}_$][\p{L}\p{N}_$-]*\s*[:：]/u
  return comment.split('"').length % 2 === 0 || key.test(comment)
}

/** Returns true if the comment contains unbalanced brackets, which may belong to brackets outside of it. */
export function mayHideBrackets(comment: string): boolean {
  let closers = ''
  for (const [bracket] of comment.matchAll(/[{}[\]]/g)) {
    if (bracket === '{' || bracket === '[') closers += bracket === '{' ? '}' : ']'
    else if (!closers.endsWith(bracket)) return true
    else closers = closers.slice(0, -1)
  }
  return closers !== ''
}

function withoutEnd(text: string, end: string): string {
  return text.endsWith(end) ? text.slice(0, -end.length).trimEnd() : text
}
