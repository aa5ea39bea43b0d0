/** Limit of the server: a name has 1 to 24 characters. */
export const NAME_LENGTH = 24
