/**
 * A part of a page with a heading.
 * @param {{title: any, label?: string, count?: number | string, tools?: any, part?: string, class?: string, children?: any, [more: string]: any}} props
 *   `label`: its name, if the title is no plain text; `count`: beside the title; `tools`: at the other end of its line
 */
export const Panel = ({ title, label = title, count, tools, part, class: more, children, ...rest }) => {
  const heading = <h2>{count === undefined ? title : [title, ' ', <span class="count">{count}</span>]}</h2>
  return (
    <section class={more ? `card ${more}` : 'card'} aria-label={label} data-part={part} {...rest}>
      {tools !== undefined ? (
        <div class="card-head">
          {heading}
          {tools}
        </div>
      ) : (
        heading
      )}
      {children}
    </section>
  )
}

/** Facts by their terms. @param {{facts: [term: string, fact: any, part?: string][], [more: string]: any}} props */
export const Facts = ({ facts, ...more }) => (
  <dl {...more}>
    {facts.map(([term, fact, part]) => (
      <div key={term}>
        <dt>{term}</dt>
        <dd data-part={part}>{fact}</dd>
      </div>
    ))}
  </dl>
)
