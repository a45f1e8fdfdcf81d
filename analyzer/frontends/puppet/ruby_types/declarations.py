"""The body of a type: newparam, newproperty, ensurable and other declarations."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from analyzer.frontends.puppet.ruby_types import calls
from analyzer.frontends.puppet.ruby_types.attributes import AttributeDeclaration
from analyzer.frontends.puppet.ruby_types.nesting import Group, Item, is_token, mentions, statements
from analyzer.frontends.puppet.ruby_types.ruby_type import RubyType, TitlePattern, whole_title
from analyzer.frontends.puppet.ruby_types.scope import Block, Method, Receiver, RubyScope
from analyzer.frontends.puppet.ruby_types.tokens import Regex, words
from analyzer.frontends.puppet.ruby_types.values import Const, Opaque, truth

# In the order in which Puppet asks for them (Type#eachautorequire, ...).
KINDS = ("autorequire", "autosubscribe", "autobefore", "autonotify")

# Calls that declare attributes, or may.
DECLARING = words(
    """
    class_eval class_exec ensurable eval include extend instance_eval instance_exec isnamevar
    module_eval newmetaparam newparam newproperty newstate provide public_send send __send__
    """
)
# Calls in a type's body that declare no attribute.
HARMLESS = words(
    """
    alias_method apply_to_all apply_to_device apply_to_host attr_accessor attr_reader attr_writer
    autobefore autoload autonotify autorequire autosubscribe binding block_given? caller class
    const_get const_set debug define_method define_singleton_method desc doc err fail feature format
    freeze has_feature? info instance_variable_get instance_variable_set is_a? key_attributes log
    metaparams module_function n_ name newmethod notice p parameters print private
    private_class_method private_constant properties protected public puts raise remove_method
    respond_to? singleton_class sprintf to_s undef_method using validate validattr? validparameter?
    validproperties validproperty? warn warning warnonce _ __dir__ __method__
    """
)
# Calls that relate resources or generate others.
RELATING = frozenset({*KINDS, "eval_generate", "generate"})
_ENSURABLE = frozenset({"exists?", "create", "destroy"})
_NAMEVAR = frozenset({"isnamevar"})
_EVALUATES = frozenset({"class_eval", "class_exec", "instance_eval", "instance_exec"})


class DeclaredRelation(NamedTuple):
    """A block `autorequire(:target)` and its like, or the Resource API's list in its place.

    Such a list is of titles and `$attributes`. `names` is None where it is not certain that the
    block counts.
    """

    kind: str
    target: str
    names: Block | list[object] | None


class TypeDeclarations(Receiver):
    """The self of a type's body: all that it has declared so far."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.parameters: dict[str, None] = {}
        self.properties: dict[str, None] = {}
        self.keys: dict[str, None] = {}
        self.methods: dict[str, Method | None] = {}
        self.isomorphic: object = True
        self.refreshable = False
        self.self_refresh = False
        self.provides = True
        self.open = ""
        self.unsure = ""
        self.attributes: dict[str, AttributeDeclaration] = {}
        self.relations: dict[tuple[str, str], DeclaredRelation] = {}
        # Why there may be relations that are not read.
        self.relates = ""
        self.titles: tuple[TitlePattern, ...] | None = None

    # ---- a self

    def call(
        self, name: str, arguments: list[object], block: Block | None, scope: RubyScope
    ) -> Any:
        """Evaluate a call in the body: a declaration, a method, or a harmless one."""
        declare = DECLARE.get(name)
        own = self.methods.get(f"self.{name}")
        if own is not None:
            return calls.invoke(own, arguments, block, self, scope)
        if declare is not None:
            return declare(self, arguments, block, scope)
        if name in ("send", "public_send", "__send__") and arguments:
            if isinstance(arguments[0], str):
                return self.call(arguments[0], arguments[1:], block, scope)
        elif name in KINDS:
            self.relate(name, arguments, block)
            return None
        elif name in HARMLESS:
            return Opaque(f"the result of {name}")
        elif scope.world.loads(name, arguments):
            return True
        self.doubt(f"{name} is called, which is unknown")
        return Opaque(f"the result of {name}")

    def define(self, name: str, method: Method) -> None:
        """Record a method."""
        self.methods[name] = method

    def relate(self, kind: str, arguments: list[object], block: Block | None) -> None:
        """Record a block that names other resources; of two for one type the later counts."""
        certain = block is not None and not block.scope.world.doubts
        target = arguments[0] if len(arguments) == 1 else None
        if not isinstance(target, str):
            self.relates = self.relates or f"{kind} names an unknown type"
            return
        key = kind, target.lower()
        self.relations[key] = DeclaredRelation(*key, block if certain else None)

    def attribute(self, arguments: list[Any], block: Block | None, is_property: bool) -> None:
        """Record an attribute's declaration; one on a condition is not known."""
        name = arguments[0]
        certain = block is None or not block.scope.world.doubts
        if certain and name not in self.attributes:
            options = arguments[1] if len(arguments) > 1 else {}
            self.attributes[name] = AttributeDeclaration(name, options, block, is_property)
        else:
            self.attributes.pop(name, None)

    # ---- what is not known

    def doubt(self, reason: str) -> None:
        """Remember why there may be attributes that are not read."""
        self.open = self.open or reason

    def doubt_keys(self, reason: str) -> None:
        """Remember why the keys may be others."""
        self.unsure = self.unsure or reason

    def key(self, name: str, scope: RubyScope) -> None:
        """Make a parameter a key."""
        self.keys[name] = None
        if scope.world.doubts:
            self.doubt_keys(f"{name} names resources on a condition")

    # ---- the result

    def result(self, has_providers: Callable[[str], bool]) -> RubyType:
        """Return the type."""
        parameters = dict(self.parameters)
        if self.provides and "provider" not in parameters and has_providers(self.name):
            parameters["provider"] = None
        properties = dict(self.properties)
        if self.methods.keys() >= _ENSURABLE:
            properties["ensure"] = None
        keys = tuple(name for name in parameters if name == "name" or name in self.keys)
        if not isinstance(self.isomorphic, bool):
            self.doubt_keys("isomorphic is unknown")
        if self.open:
            self.doubt_keys(self.open)
        titles = self.titles
        if titles is None and not self.unsure:
            titles = whole_title(keys)
            if titles is None:
                self.doubt_keys("there are several keys and no title patterns")
        return RubyType(
            self.name,
            frozenset(parameters),
            frozenset(properties),
            keys,
            None if self.unsure else titles,
            self.isomorphic is not False,
            self.refreshable or "refresh" in self.methods,
            self.open,
            self.unsure,
            self.self_refresh,
        )

    def read_titles(self, scope: RubyScope) -> None:
        """Call `title_patterns`, if the type has such a method."""
        method = self.methods.get("self.title_patterns")
        if method is None:
            return
        value = calls.invoke(method, [], None, self, scope)
        self.titles = patterns_of(value)
        if self.titles is None:
            self.doubt_keys("title_patterns computes something")


def patterns_of(value: object) -> tuple[TitlePattern, ...] | None:
    """Return title patterns, None where they hold unknown values."""
    found = []
    for row in value if isinstance(value, list) else [None]:
        if not isinstance(row, list) or len(row) != 2 or not isinstance(row[0], Regex):
            return None
        names = [name_of_group(group) for group in row[1]] if isinstance(row[1], list) else [None]
        if None in names:
            return None
        found.append(TitlePattern(str(row[0]), tuple(name for name in names if name)))
    return tuple(found)


def name_of_group(group: object) -> str | None:
    """Return the attribute that a group of a title pattern sets unchanged."""
    if not isinstance(group, list) or not group or not isinstance(group[0], str):
        return None
    return group[0] if len(group) == 1 or is_identity(group[1]) else None


def is_identity(value: object) -> bool:
    """Return whether a block returns its argument."""
    if value is None:
        return True
    if not isinstance(value, Block):
        return False
    names = [item.value for item in value.parameters if is_token(item, "id")]  # type: ignore[union-attr]
    body = [item for one in statements(value.body) for item in one]
    return len(names) == 1 and len(body) == 1 and is_token(body[0], "id", *names)


class DeclaredParameter(Receiver):
    """The class of a parameter, which code outside of its body can make a namevar."""

    def __init__(self, type: TypeDeclarations, name: str) -> None:
        self.type = type
        self.name = name

    def call(
        self, name: str, arguments: list[object], block: Block | None, scope: RubyScope
    ) -> Any:
        """Make it a namevar, or ignore the call."""
        if name == "isnamevar":
            self.type.key(self.name, scope)
        return Opaque(f"the result of {name}")


# ---- what a body declares


def name_in(arguments: list[object]) -> str | None:
    """Return the name that an attribute is declared with."""
    return arguments[0] if arguments and isinstance(arguments[0], str) else None


def newparam(
    type: TypeDeclarations, arguments: list[object], block: Block | None, scope: RubyScope
) -> object:
    """`newparam`: a parameter, which may be the namevar."""
    name = name_in(arguments)
    if name is None:
        type.doubt("newparam gets an unknown name")
        return Opaque("a parameter")
    type.parameters[name] = None
    type.attribute(arguments, block, is_property=False)
    options = arguments[1] if len(arguments) > 1 else {}
    named = truth(options.get("namevar", False)) if isinstance(options, dict) else None
    says = namevar_in(block.body) if block is not None else False
    if named or says:
        type.key(name, scope)
    elif named is None or says is None:
        type.doubt_keys(f"it is unknown whether {name} is a namevar")
    return DeclaredParameter(type, name)


def paramclass(
    type: TypeDeclarations, arguments: list[object], block: Block | None, scope: RubyScope
) -> object:
    """`paramclass`: a parameter that is declared already."""
    name = name_in(arguments)
    return Opaque("a parameter") if name is None else DeclaredParameter(type, name)


def namevar_in(body: list[Item]) -> bool | None:
    """Return whether a parameter's body has `isnamevar`, None where that depends on something."""
    found: bool | None = False
    for one in statements(body):
        first = one[0]
        if is_token(first, "kw", "self") and len(one) > 2:
            first = one[2]
        if is_token(first, "id", "isnamevar"):
            if not any(is_token(item, "kw", "if", "unless") for item in one):
                return True
            found = None
        elif isinstance(first, Group) and first.kind not in ("def", "class", "module"):
            found = None if mentions(first.items, _NAMEVAR) else found
    return found


def newproperty(
    type: TypeDeclarations, arguments: list[object], block: Block | None, scope: RubyScope
) -> object:
    """`newproperty`."""
    name = name_in(arguments)
    if name is None:
        type.doubt("newproperty gets an unknown name")
    else:
        type.properties[name] = None
        type.attribute(arguments, block, is_property=True)
    return Opaque("a property")


def ensurable(
    type: TypeDeclarations, arguments: list[object], block: Block | None, scope: RubyScope
) -> object:
    """`ensurable`."""
    type.properties["ensure"] = None
    return Opaque("a property")


def provide(
    type: TypeDeclarations, arguments: list[object], block: Block | None, scope: RubyScope
) -> object:
    """`provide`: a provider, and so a parameter to choose it with."""
    type.parameters["provider"] = None
    return Opaque("a provider")


def evaluate(
    type: TypeDeclarations, arguments: list[object], block: Block | None, scope: RubyScope
) -> object:
    """`class_eval` and its like: the block is evaluated in the type."""
    if block is None:
        type.doubt("code in a text is evaluated")
        return Opaque("the contents of a string")
    return calls.call(block, arguments, type)


def include(
    type: TypeDeclarations, arguments: list[object], block: Block | None, scope: RubyScope
) -> object:
    """`include`: methods of a module, and the declarations of its hook."""
    return mix(type, arguments, scope, "self.included", "")


def extend(
    type: TypeDeclarations, arguments: list[object], block: Block | None, scope: RubyScope
) -> object:
    """`extend`: methods of a module become the type's own."""
    return mix(type, arguments, scope, "self.extended", "self.")


def mix(
    type: TypeDeclarations, arguments: list[object], scope: RubyScope, hook: str, prefix: str
) -> object:
    """Add the methods of modules."""
    for argument in arguments:
        name = argument.name if isinstance(argument, Const) else ""
        methods = scope.world.methods_of(name) if name else None
        if methods is None:
            if not name.startswith("Puppet::") and name not in PLAIN_MODULES:
                type.doubt(f"{name or 'a module'} is mixed in and is not found")
            continue
        for own, method in methods.items():
            if not own.startswith("self."):
                type.methods.setdefault(prefix + own, method)
        if hook in methods:
            calls.invoke(methods[hook], [type], None, type, scope)
    return type


# Ruby's own, which declare nothing.
PLAIN_MODULES = frozenset({"Comparable", "Enumerable", "FileUtils", "Kernel", "Forwardable"})

Declare = Callable[[TypeDeclarations, list[Any], Block | None, RubyScope], Any]
DECLARE: dict[str, Declare] = {
    "ensurable": ensurable,
    "extend": extend,
    "include": include,
    "newparam": newparam,
    "newproperty": newproperty,
    "paramclass": paramclass,
    "provide": provide,
    "providify": provide,
    "module_eval": evaluate,
    **dict.fromkeys(_EVALUATES, evaluate),
}
