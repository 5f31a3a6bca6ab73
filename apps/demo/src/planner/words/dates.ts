/** English dates and their ISO form. The names come from `Intl`. */

/** Names of months. */
export const MONTHS = names(
  (month) => new Intl.DateTimeFormat('en', { month: 'long', timeZone: 'UTC' }).format(Date.UTC(2000, month, 5)),
  12,
)
const WEEKDAYS = names(
  (weekday) => new Intl.DateTimeFormat('en', { weekday: 'long', timeZone: 'UTC' }).format(Date.UTC(2000, 0, 2 + weekday)),
  7,
)
const NEAR = names((offset) => new Intl.RelativeTimeFormat('en', { numeric: 'auto' }).format(offset - 1, 'day'), 3)

/** Names of periods. */
export const PERIODS = 'minute hour day night morning afternoon evening week weekend month quarter year'.split(' ')

/** Names of seasons. */
export const SEASONS = ['spring', 'summer', 'autumn', 'fall', 'winter']

const MONTH = `(?:${MONTHS.map((name) => (name.length > 3 ? `${name.slice(0, 3)}(?:${name.slice(3)})?` : name)).join('|')})`

/** Patterns of dates, tried at word starts. */
export const DATE_PATTERNS: readonly RegExp[] = [
  /\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2})?(?:\.\d{1,9})?(?:Z|[+-]\d{2}:?\d{2})?)?(?![\p{L}\p{N}-])/uy,
  /\d{1,4}\/\d{1,2}\/\d{2,4}(?![\p{L}\p{N}/])/uy,
  new RegExp(`${MONTH}\\.?\\s?\\d{1,2}(?:st|nd|rd|th)?(?:[,.]?\\s?\\d{4})?(?![\\p{L}\\p{N}])`, 'iuy'),
  new RegExp(`\\d{1,2}(?:st|nd|rd|th)?\\s(?:of\\s)?${MONTH}(?:[,.]?\\s?\\d{4})?(?![\\p{L}\\p{N}])`, 'iuy'),
  new RegExp(`in\\s(?:\\d{1,3}|an?|one|two|three|half\\san)\\s(?:${PERIODS.join('|')})s?(?![\\p{L}\\p{N}])`, 'iuy'),
  new RegExp(`${MONTH}\\s\\d{4}(?![\\p{L}\\p{N}])`, 'iuy'),
  new RegExp(`(?<=\\b(?:during|from|in|of|since|this|until)\\s)(?:${MONTHS.join('|')})(?![\\p{L}\\p{N}])`, 'uy'),
  new RegExp(`(?<=\\b(?:in|during)\\s(?:the\\s)?)(?:${SEASONS.join('|')})(?![\\p{L}\\p{N}])`, 'iuy'),
  new RegExp(
    `(?:last|this|coming|past)\\s(?:${[...PERIODS, ...SEASONS, ...WEEKDAYS, ...MONTHS].join('|')})(?![\\p{L}\\p{N}])`,
    'iuy',
  ),
  new RegExp(`(?:next|every|each)\\s(?:${[...PERIODS, ...SEASONS, ...WEEKDAYS, ...MONTHS].join('|')})(?![\\p{L}\\p{N}])`, 'iuy'),
  /(?:hourly|daily|nightly|weekly|monthly|quarterly|yearly|annually|twice|thrice|tonight)(?=\s*(?:$|[.,;!?]|(?:and|at|for|from|in|on|to|with)\s))/iuy,
  new RegExp(`(?:${[...NEAR, ...WEEKDAYS].join('|')})\\s(?:morning|afternoon|evening|night)(?![\\p{L}\\p{N}])`, 'iuy'),
  new RegExp(`(?:${[...NEAR, ...WEEKDAYS].join('|')})(?![\\p{L}\\p{N}])`, 'iuy'),
]

/** Returns the ISO form of a date with a year and the name of a month. Returns undefined for any other text. */
export function toIsoDate(text: string): string | undefined {
  const month = MONTHS.findIndex((name) => text.toLowerCase().includes(name.slice(0, 3).toLowerCase()))
  const year = /\d{4}/.exec(text)?.[0]
  const day = /(?<!\d)\d{1,2}(?!\d)/.exec(text)?.[0]
  if (month < 0 || year === undefined || day === undefined) return undefined
  return `${year}-${String(month + 1).padStart(2, '0')}-${day.padStart(2, '0')}`
}

export interface Days {
  readonly first: string
  readonly last: string
}

/** Returns the first and the last day of a date or of a month with a year, in ISO form. Returns undefined for any other text. */
export function daysOf(text: string): Days | undefined {
  const day = /^\d{4}-\d{2}-\d{2}$/.test(text) ? text : toIsoDate(text)
  if (day !== undefined) return { first: day, last: day }
  const [, name = '', year = ''] = /^(\p{L}+)\s(\d{4})$/u.exec(text) ?? []
  const month = MONTHS.findIndex((full) => name.length > 2 && full.toLowerCase().startsWith(name.toLowerCase()))
  if (month < 0) return undefined
  const start = `${year}-${String(month + 1).padStart(2, '0')}`
  return { first: `${start}-01`, last: `${start}-${new Date(Date.UTC(Number(year), month + 1, 0)).getUTCDate()}` }
}

/** Returns the days before the first and after the last day. */
export function daysAround({ first, last }: Days): { before: string; after: string } {
  return { before: dayBeside(first, -1), after: dayBeside(last, 1) }
}

function dayBeside(day: string, days: number): string {
  const time = Date.parse(day)
  return Number.isNaN(time) ? day : new Date(time + days * 86_400_000).toISOString().slice(0, 10)
}

function names(nameOf: (index: number) => string, count: number): string[] {
  return Array.from({ length: count }, (_, index) => nameOf(index))
}
