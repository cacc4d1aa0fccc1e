/** The exit codes of `beleg` besides 0. `interrupted` is what shells report for a command that Ctrl-C ended. */
export const EXIT = {
  failure: 1,
  /** Settings, arguments or options are wrong. */
  usage: 2,
  refused: 3,
  uncertain: 4,
  notFound: 5,
  interrupted: 130,
} as const;
