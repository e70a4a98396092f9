import { AnchorMdx, Description, Story, useOf } from '@storybook/addon-docs/blocks';
import type { ModuleExport, ModuleExports } from 'storybook/internal/types';

interface StatesProps {
  /** The module of the stories. */
  readonly of: ModuleExports;
  /** The names of the stories to show. */
  readonly names: readonly string[];
  /** Whether the `play` functions of the stories run. States that begin with a click need them. */
  readonly play?: boolean;
}

/** Shows stories side by side, each with its description and a link to it. */
export const States = ({ of, names, play = false }: StatesProps) => (
  <div className="docs-states">
    {names.map((name) => (
      <State key={name} of={of[name]} play={play} />
    ))}
  </div>
);

function State({ of, play }: { readonly of: ModuleExport; readonly play: boolean }) {
  const { story } = useOf(of, ['story']);
  return (
    <figure>
      <div className="sb-unstyled">
        <Story of={of} autoplay={play} />
      </div>
      <figcaption>
        <AnchorMdx href={`?path=/story/${story.id}`} target="_self">
          {story.name}
        </AnchorMdx>
        <Description of={of} />
      </figcaption>
    </figure>
  );
}
