/** By picture. The first one is for bots. */
export const DRAWN = [...'🤖🦊🦝🦡🦦🦔🐰🐱🐺🐻🐼🐨🐯🦁🐴🦄🦌🦓🐘🦘🐹🐭🐸🐊🐢🐲🦖🐳🐬🐠🐙🦀🐌🦋🐝🐞🦆🐧🦜🦩🦢🔑👑💎🎩🏮🎲🍀🚀']
