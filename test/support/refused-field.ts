// test/support/refused-field.ts — finds in a refusal's sentence the field it is about.

/** The field named by the refusal of a field, or the sentence itself. */
export function refusedFieldIn(sentence: unknown): string {
  const [, field] =
    /^(?:The field (\S+) (?:is|has|seems) .+\.|Invalid (\S+): it (?:is|has|holds|seems|does|names|must|cannot) .+\.)$/
      .exec(String(sentence))
      ?.filter(Boolean) ?? []
  return field ?? String(sentence)
}
