/** How seats and what they do are called. */

/** Names of the seats of a session; the person is "you". */
export const seatNames = ({ seats, game }, titles) =>
  seats.map((bot, seat) => (bot === null ? "you" : (titles?.[seat] ?? `seat ${seat}`)));

/** What a bot is, in a word or two, to stand behind a seat's name; nothing of the person. */
export const botTitle = (bot) => (bot === null ? "" : `${bot.bot ?? `level ${bot.level}`}, `);

const VERBS = /\byou (win|beat|lead|leave)s\b/g;

/** Clauses of the server about a step, in which seats have their names. */
export function retell({ text, by }, names) {
  const mine = names[by] === "you";
  return text.map((clause) => {
    const named = clause.replace(/\bseat (\d)\b/gi, (_, seat) => names[seat]).replace(VERBS, "you $1");
    return mine ? named.replace(/^takes /, "take ") : named;
  });
}

const OWN = /(^|[,;] )(pass|place|raise|take|stop|play|lead|beat|leave|trie|let)(?:e?s)\b/g;

/** Who does what, as a sentence; `joint` stands between, unless the text begins with who it is. */
export function sentence(who, text, joint) {
  if (text.startsWith(`${who} `)) return text;
  if (who !== "you") return `${who}${joint}${text}`;
  return `you${joint}${text.replace(OWN, (_, before, verb) => before + (verb === "trie" ? "try" : verb))}`;
}

/** Who has won, in a sentence; `result` holds each seat's share of the win. */
export function outcome(result, names) {
  if (!result) return "The game is over.";
  const winners = names.filter((_, seat) => result[seat] > 0);
  if (names.length === 1) return "The game is over.";
  if (winners.length === names.length) return "The game is over: a draw.";
  return `The game is over: ${winners.join(" and ")} ${winners.length > 1 || winners[0] === "you" ? "win" : "wins"}.`;
}

/** Rules, a few words each; options that are off are left out. */
export const rulesInWords = (rules) =>
  Object.entries(rules)
    .filter(([, value]) => value !== false)
    .map(([name, value]) => {
      const text = typeof value === "object" ? JSON.stringify(value) : value;
      return (value === true ? name : `${name} ${text}`).replaceAll("_", " ");
    });

export const percent = (share) => `${Math.round(100 * share)} %`;
