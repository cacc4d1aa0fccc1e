const NO_TITLE =
  /\.(?:docx?|odt|pdf|indd|qxd|tex|dvi|xlsx?|pptx?|rtf|txt|p65|fm|ps)$|^(?:microsoft (?:word|powerpoint|excel)|powerpoint|untitled|unbenannt|ohne titel|dokument|document|layout|slide|folie|bericht|scan|title|titel)\b\s?\d*\s*(?:$|-)/iu;

/** Whether a title was set by a program: the file's name, or a default such as `Folie 1`. */
export const isOfProgram = (title: string): boolean => NO_TITLE.test(title);
