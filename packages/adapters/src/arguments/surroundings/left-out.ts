/** Detects text that stands for omitted data, and comments that may hide some. */

/** An unquoted value that indicates it. */
const PHRASE = /^(?:omitted|todo|tbd|see (?:above|below)|same as (?:before|above)|and so (?:on|forth)|etc|and more)\.?$/i
const WORDS =
  /(?<![/\\.~\w-])(?:etc|usw)(?![/\\\w])|\b(?:and so (?:on|forth)|(?:and|plus|many|several) (?:more|others?)|omitted|skipped|snip|truncated|abbreviated|shortened|for brevity|likewise)\b/i
const OTHER_WORDS = /等等|省略|и т\. ?д|и так далее/i
const COMMENT_START =
  /^(?:\.\.\.|…|(?:and |\d+ )?(?:more|skip|others?|(?:the )?rest|remaining|further)\b|(?:same|see|as) (?:as|for|above|before|below)\b|repeat|continue|unchanged\b|existing\b|fill in\b|(?:add|insert|keep|put)\b.*\b(?:more|others?|(?:the )?rest|remaining|existing|same|current|unchanged|here|your|as (?:is|before|above))\b|your\b|to ?do\b|tbd\b)/i
const ELLIPSIS_END = /(?:\.\.\.|…)$/
/** Only the start and the end of a long comment are looked at. */
const LONGEST = 100

export function isPhraseForData(phrase: string): boolean {
  return PHRASE.test(phrase)
}

export function hasWordsForData(prose: string): boolean {
  return hasWords(prose) || prose.includes('...') || prose.includes('…')
}

/** Two patterns, since one of all languages would need the flag `u`, with which it is nine times slower. */
function hasWords(text: string): boolean {
  return WORDS.test(text) || OTHER_WORDS.test(text)
}

/** `comment` with its signs. */
export function isCommentForData(comment: string): boolean {
  const start = comment.slice(0, LONGEST).replace(/^[#/*\s([<-]+/, '')
  const end = withoutEnd(withoutEnd(comment.slice(-LONGEST).trimEnd(), '*/'), ')')
  return COMMENT_START.test(start) || ELLIPSIS_END.test(end) || hasWords(start) || hasWords(end)
}

/** `"dry_run": {` after a comment sign: the sign may be where a quote is missing. `comment` includes its signs. */
export function mayHideMembers(comment: string): boolean {
  return comment.split('"').length % 2 === 0 || KEY.test(comment)
}

/** A text in quotes before a colon; or a word that begins right behind the sign, as a key without quotes does. */
const KEY = /["'`“”„‘’´]\s*[:：]|^(?:#|\/\/|\/\*)[\p{L}_$][\p{L}\p{N}_$-]*\s*[:：]/u

/** Brackets without their other one: the text may have them. */
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
