# frozen_string_literal: true

# The relationship graph that Puppet makes of a catalog, as lists.
#
# Edges are [source, target, callback, event, auto]; containers in the expanded graph are
# Admitted[Type[title]] and Completed[Type[title]].

require 'set'

module CatgraphGraph
  # Types whose further resources the catalog alone decides.
  GENERATING = %i[concat_file cs_shadow posix_acl].freeze

  # Remembers the edges that the automatic blocks proposed.
  module ProposedEdges
    def autorelation(kind, catalog = nil)
      super.each do |edge|
        edge.instance_variable_set(:@catgraph_auto, "auto#{kind}")
        ProposedEdges.box&.push(edge)
      end
    end

    class << self
      attr_accessor :box
    end
  end

  # Remembers the graph before containers are replaced.
  module PlainGraph
    attr_reader :catgraph_plain, :catgraph_proposed

    private

    def build_autorelation_dependencies(catalog)
      ProposedEdges.box = @catgraph_proposed = []
      super
      @catgraph_plain = edges
    ensure
      ProposedEdges.box = nil
    end
  end

  module_function

  def watch
    Puppet::Type.prepend(ProposedEdges)
    Puppet::Graph::RelationshipGraph.prepend(PlainGraph)
  end

  def ref(vertex)
    return vertex.ref unless vertex.is_a?(Puppet::Type.type(:whit))

    vertex.name.sub(/\Aadmissible_(.*)\z/m, 'Admitted[\1]').sub(/\Acompleted_(.*)\z/m, 'Completed[\1]')
  end

  def edge(edge)
    [ref(edge.source), ref(edge.target), edge.callback&.to_s, edge.event&.to_s,
     edge.instance_variable_get(:@catgraph_auto)]
  end

  # An automatic edge stands back for any edge between the same two resources; where both directions
  # are there already, "same" is named.
  def dropped(graph)
    kept = graph.catgraph_plain.to_set(&:object_id)
    gone = graph.catgraph_proposed.reject { |e| kept.include?(e.object_id) }
    pairs = graph.catgraph_plain.to_set { |e| [e.source.object_id, e.target.object_id] }
    gone.map do |e|
      same = pairs.include?([e.source.object_id, e.target.object_id])
      [*edge(e), same ? 'same edge present' : 'opposite edge present']
    end
  end

  # Order of a transaction, without the ends of containers; what Puppet adds to every catalog
  # (schedules, a filebucket) comes last.
  def order(graph)
    graph.enqueue_roots
    visited = []
    while (resource = graph.next_resource)
      visited << resource.ref unless resource.is_a?(Puppet::Type.type(:whit))
      graph.finish(resource)
    end
    visited
  end

  # The first step of a transaction, for types that bring what the catalog alone tells: where a
  # folder of a posix_acl is on this machine, that is not so.
  def generate(ral)
    generator = Puppet::Transaction::AdditionalResourceGenerator.new(ral, nil, Puppet::Graph::SequentialPrioritizer.new)
    ral.vertices.each do |resource|
      next unless GENERATING.include?(resource.class.name)
      next if resource.class.name == :posix_acl && File.exist?(resource[:path])

      generator.generate_additional_resources(resource)
    end
  end

  # Adds to an answer what the graph has; the order only where there is no cycle.
  def describe(graph, out)
    out['relationships'] = graph.catgraph_plain.map { |e| edge(e) }
    out['dropped'] = dropped(graph)
    out['expanded'] = graph.edges.map { |e| edge(e) }
    cycles = graph.find_cycles_in_graph
    out['cycles'] = cycles.map { |component| component.map { |v| ref(v) } }
    out['order'] = order(graph) if cycles.empty?
  end
end
