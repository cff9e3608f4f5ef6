// The words of which the server makes the names of guests (appliance/src/account/guest.rs).
const ADJECTIVES =
  'Amber Bold Brave Bright Calm Clever Cosmic Crimson Curious Daring Dapper Eager Gentle Golden Happy Humble Jolly Keen Lively Lucky Mellow Merry Nimble Noble Patient Quick Quiet Silver Sunny Swift Witty Zesty'.split(
    ' ',
  );
const ANIMALS =
  'Badger Beaver Bison Crane Dolphin Falcon Ferret Finch Fox Gecko Hare Heron Ibex Jackdaw Koala Lemur Lynx Magpie Marmot Marten Otter Owl Panda Puffin Raven Robin Salmon Seal Stork Swallow Tapir Walrus Wombat'.split(
    ' ',
  );

/** A display name to start from. Made here: the server's action for it also saves the name. */
export function suggestedName(): string {
  return `${oneOf(ADJECTIVES)} ${oneOf(ANIMALS)}`;
}

function oneOf(words: readonly string[]): string {
  return words[Math.floor(Math.random() * words.length)] ?? '';
}
